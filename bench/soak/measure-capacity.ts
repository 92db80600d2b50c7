import { cadreQueue } from '../table/cadre-queue.js';
import type { Installation } from '../table/installation.js';

const WARM_UP = 100;
const PAGES = 500;

/** Pages a second, from acceptance to end, with as many clients as keep the machine busy. */
export async function measureCapacity(installation: Installation): Promise<number> {
  const cadre = cadreQueue(installation);
  await cadre.single(WARM_UP);
  const { seconds } = await cadre.single(PAGES);
  return PAGES / seconds;
}
