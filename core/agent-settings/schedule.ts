import { Type } from '@sinclair/typebox';
import type { JsonObject } from '../schemas/json.js';
import { limits } from '../schemas/limits.js';
import { nullable, oneOf, unixSeconds } from '../schemas/shapes.js';
import { scheduleOf } from './schedule-moments.js';
import { settingsGroup } from './settings-group.js';

const optional = Type.Optional;
const { hours, days, hour } = limits.schedule;

const unit = oneOf(['hours', 'days']);
const fields = {
  every: optional(Type.Integer({ minimum: 1, maximum: hours })),
  unit: optional(unit),
  hour: optional(
    Type.Integer({
      minimum: 0,
      maximum: 23,
      default: hour,
      description: 'Only with days: the hour that clocks in the time zone show',
    }),
  ),
  timeZone: optional(
    Type.String({
      format: 'time-zone',
      default: 'UTC',
      description: 'Only with days: IANA name, such as Europe/Berlin',
    }),
  ),
};

export const schedule = settingsGroup({
  path: 'schedule',
  extension: true,
  apart: true,
  key: 'schedule',
  name: 'schedule',
  operation: 'Schedule',
  about: `When pages are retrained automatically, instead of the interval of the configuration: every 1 to ${hours} hours, or every 1 to ${days} days at an hour of a time zone. It has an effect while auto-retrain is enabled and the plan includes it. A run that was missed is made up once.`,
  change: 'The schedule is replaced as a whole. `every: null` removes it.',
  fields,
  body: Type.Object(
    {
      ...fields,
      every: nullable(
        Type.Integer({
          minimum: 1,
          maximum: hours,
          description: `At most ${hours} hours or ${days} days. null: no schedule`,
        }),
      ),
    },
    {
      wholeSchedule: true,
      examples: [{ every: 1, unit: 'days', hour: 3, timeZone: 'Europe/Berlin' }],
    },
  ),
  refusals: ['SUBSCRIPTION_API_RESTRICTED_PLAN'],
  refusal: ({ every }, { features }) =>
    every !== null && !features.autoRetrain ? 'SUBSCRIPTION_API_RESTRICTED_PLAN' : null,
  conversion: {
    toSettings: ({ every, ...sent }) => ({ schedule: every === null ? null : stored(every, sent) }),
    toFields: (settings) => (settings.schedule ?? {}) as JsonObject,
  },
  computed: {
    fields: {
      lastAt: nullable(unixSeconds('When the last automatic run began')),
      nextAt: nullable(unixSeconds('When the next one begins; null while auto-retrain is off')),
    },
    of: ({ settings, agent, entitlements, retrainSeconds }) => {
      const { retrainedAt, retrainBaseAt, retrainDueAt } = agent;
      const isOn = retrainBaseAt !== null && entitlements.features.autoRetrain;
      const next = scheduleOf(settings) ? retrainDueAt : (retrainBaseAt ?? 0) + retrainSeconds;
      return { lastAt: retrainedAt, nextAt: isOn ? next : null };
    },
  },
});

/** Removes the fields of the other form, because a patch is merged field by field. */
const stored = (every: number, sent: { unit?: string; hour?: number; timeZone?: string }): JsonObject =>
  sent.unit === 'hours'
    ? { every, unit: 'hours', hour: null, timeZone: null }
    : { every, unit: 'days', hour: sent.hour ?? hour, timeZone: sent.timeZone ?? 'UTC' };
