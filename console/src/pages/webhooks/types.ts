/** A webhook, as far as this page shows it. */
export interface Webhook {
  id: string;
  url: string;
  description: string;
  events: string[];
  enabled: boolean;
  disabledReason: string | null;
  failingSince: number | null;
  createdAt: number;
}

export interface Delivery {
  id: string;
  event: string;
  status: string;
  attempts: number;
  createdAt: number;
  nextAttemptAt: number | null;
  answer: { status: number } | null;
  error: { code: string; message: string } | null;
}
