/**
 * Series for `promtool test rules`, one sample per minute in its notation (`0+60x10` counts up by 60 ten times). Each
 * alert must fire for `fires` and must not for any of `quiet`, 30 minutes after the first sample.
 */
export interface AlertCases {
  fires: Series;
  quiet: Series[];
}

type Series = Record<string, string>;

const up = (job: string, instance: string): string => `up{job="${job}",instance="${instance}"}`;
const requests = (status: number, route = '/api/v2/agents'): string =>
  `http_server_request_duration_seconds_count{method="GET",route="${route}",status="${status}"}`;
const bucket = (metric: string, le: string, labels = ''): string => `${metric}_bucket{${labels}le="${le}"}`;
const requestBucket = (route: string, le: string): string =>
  bucket('http_server_request_duration_seconds', le, `route="${route}",`);
const firstText = (le: string): string => bucket('chat_answer_first_text_seconds', le);

const always = (value: number): string => `${value}x40`;
const perMinute = (count: number): string => `0+${count}x40`;
/** Healthy for ten minutes, then different. */
const changing = (from: number, to: number): string => `${from}x9 ${to}x30`;
/** Present for 20 minutes, then without samples. */
const vanishing = (value: number): string => `${value}x20 stale`;

export const alertCases: Record<string, AlertCases> = {
  CadreDown: {
    fires: { [up('cadre-api', 'a')]: changing(1, 0), [up('cadre-api', 'b')]: always(1) },
    quiet: [{ [up('cadre-api', 'a')]: always(1), [up('rabbitmq', 'c')]: always(0) }],
  },
  CadreMissing: {
    fires: { [up('cadre-api', 'a')]: vanishing(1), [up('cadre-worker', 'b')]: always(1) },
    quiet: [
      { [up('cadre-api', 'a')]: always(1), [up('cadre-worker', 'b')]: always(1) },
      { [up('cadre-api', 'a')]: always(0), [up('cadre-worker', 'b')]: always(1) },
    ],
  },
  CadreFewer: {
    fires: { [up('cadre-api', 'a')]: vanishing(1), [up('cadre-api', 'b')]: always(1) },
    quiet: [
      { [up('cadre-api', 'a')]: always(1), [up('cadre-api', 'b')]: always(1) },
      // A rolling restart: another process is there at once.
      { [up('cadre-api', 'a')]: vanishing(1), [up('cadre-api', 'b')]: `_x20 ${always(1)}` },
    ],
  },
  CadreFewerWorkers: {
    fires: { [up('cadre-worker', 'a')]: vanishing(1), [up('cadre-worker', 'b')]: always(1) },
    quiet: [
      { [up('cadre-worker', 'a')]: always(1), [up('cadre-worker', 'b')]: always(1) },
      { [up('cadre-worker', 'a')]: vanishing(1), [up('cadre-worker', 'b')]: `_x20 ${always(1)}` },
    ],
  },
  CadreErrors: {
    fires: { [requests(200)]: perMinute(98), [requests(500)]: perMinute(2) },
    quiet: [
      { [requests(200)]: perMinute(1000), [requests(500)]: perMinute(2) },
      { [requests(200)]: perMinute(90), [requests(404)]: perMinute(10) },
    ],
  },
  CadreUnavailable: {
    fires: { [requests(200)]: perMinute(1), [requests(503)]: perMinute(999) },
    quiet: [
      { [requests(200)]: perMinute(97), [requests(503)]: perMinute(3), [requests(500)]: perMinute(10) },
    ],
  },
  CadreSlow: {
    fires: {
      [requestBucket('/api/v2/agents', '1')]: perMinute(90),
      [requestBucket('/api/v2/agents', '2.5')]: perMinute(100),
      [requestBucket('/api/v2/agents', '+Inf')]: perMinute(100),
    },
    quiet: [
      {
        [requestBucket('/api/v2/agents', '1')]: perMinute(99),
        [requestBucket('/api/v2/agents', '+Inf')]: perMinute(100),
      },
      // Chat takes as long as its model.
      {
        [requestBucket('/api/v2/agents/:agentId/chat', '1')]: perMinute(1),
        [requestBucket('/api/v2/agents/:agentId/chat', '+Inf')]: perMinute(100),
      },
    ],
  },
  CadreChatSlow: {
    fires: {
      [firstText('10')]: perMinute(90),
      [firstText('30')]: perMinute(100),
      [firstText('+Inf')]: perMinute(100),
    },
    quiet: [
      {
        [firstText('10')]: perMinute(99),
        [firstText('30')]: perMinute(100),
        [firstText('+Inf')]: perMinute(100),
      },
    ],
  },
  CadreJobsWait: {
    fires: { oldest_waiting_job_seconds: '0+60x40' },
    quiet: [{ oldest_waiting_job_seconds: always(300) }],
  },
  CadreDependencyDown: {
    fires: {
      'dependency_up{dependency="queue",instance="a"}': changing(1, 0),
      'dependency_up{dependency="queue",instance="b"}': always(1),
    },
    quiet: [
      {
        'dependency_up{dependency="queue"}': always(1),
        'dependency_up{dependency="installation"}': always(0),
      },
    ],
  },
  CadreNoWorkers: {
    fires: { queue_workers_listening: always(0), queue_tasks_waiting: always(3) },
    quiet: [
      { queue_workers_listening: always(0), queue_tasks_waiting: always(0) },
      { queue_workers_listening: always(2), queue_tasks_waiting: always(300) },
    ],
  },
  CadreOutboxStuck: {
    fires: { outbox_oldest_seconds: '0+60x40' },
    quiet: [{ outbox_oldest_seconds: always(30) }],
  },
  CadreDeadLetters: {
    fires: { dead_letters_total: '0x20 1x20' },
    quiet: [{ dead_letters_total: always(7) }],
  },
  CadreLeasesExpire: {
    fires: { 'leases_expired_total{type="crawl_page"}': '0x20 10x20' },
    quiet: [{ 'leases_expired_total{type="crawl_page"}': '0x20 3x20' }],
  },
  CadreAttemptsFail: {
    fires: {
      'task_attempts_total{outcome="succeeded"}': perMinute(90),
      'task_attempts_total{outcome="STORAGE_FAILED"}': perMinute(10),
    },
    quiet: [
      {
        'task_attempts_total{outcome="succeeded"}': perMinute(90),
        'task_attempts_total{outcome="HTTP_NOT_FOUND"}': perMinute(90),
      },
    ],
  },
  CadreForeignEvents: {
    fires: { foreign_events_total: always(0), foreign_tasks_total: perMinute(1) },
    quiet: [{ foreign_events_total: always(4), foreign_tasks_total: always(2) }],
  },
  CadreDatabaseBusy: {
    fires: { 'database_connections{state="waiting"}': always(2) },
    quiet: [
      {
        'database_connections{state="waiting"}': always(0),
        'database_connections{state="busy"}': always(15),
      },
    ],
  },
  CadreMailboxesLong: {
    fires: { actor_mailbox_messages: always(600) },
    quiet: [{ actor_mailbox_messages: always(400) }],
  },
  CadreModelFails: {
    fires: { 'model_provider_failures_total{provider="main",code="MODEL_TIMEOUT"}': perMinute(30) },
    quiet: [{ 'model_provider_failures_total{provider="main",code="MODEL_TIMEOUT"}': perMinute(1) }],
  },
  CadreEventLoopLag: {
    fires: {
      'nodejs_eventloop_lag_p99_seconds{job="cadre-api",instance="a"}': always(0.01),
      'nodejs_eventloop_lag_p99_seconds{job="cadre-api",instance="b"}': always(0.8),
    },
    quiet: [{ 'nodejs_eventloop_lag_p99_seconds{job="cadre-api",instance="a"}': always(0.2) }],
  },
  CadreSocialEventsWait: {
    fires: { channel_oldest_event_seconds: '0+60x40' },
    quiet: [{ channel_oldest_event_seconds: always(0) }, { channel_oldest_event_seconds: always(120) }],
  },
  CadreWebhooksFail: {
    fires: {
      'webhook_deliveries_total{outcome="delivered"}': perMinute(2),
      'webhook_deliveries_total{outcome="retried"}': perMinute(6),
    },
    quiet: [
      {
        'webhook_deliveries_total{outcome="delivered"}': perMinute(20),
        'webhook_deliveries_total{outcome="retried"}': perMinute(6),
        'webhook_deliveries_total{outcome="failed"}': perMinute(1),
      },
      { 'webhook_deliveries_total{outcome="failed"}': always(9) },
    ],
  },
  CadreMailsFail: {
    fires: {
      'mails_total{outcome="sent"}': perMinute(2),
      'mails_total{outcome="MAIL_AUTH"}': perMinute(6),
    },
    quiet: [
      { 'mails_total{outcome="sent"}': perMinute(20), 'mails_total{outcome="MAIL_AUTH"}': perMinute(6) },
      { 'mails_total{outcome="MAIL_REFUSED"}': always(9) },
    ],
  },
  CadreMailsWait: {
    fires: { mails_overdue_seconds: '0+60x40' },
    quiet: [{ mails_overdue_seconds: always(0) }, { mails_overdue_seconds: always(300) }],
  },
  CadreBackupOld: {
    fires: { backup_age_seconds: '172801+60x40' },
    quiet: [{ backup_age_seconds: '86400+60x40' }],
  },
};
