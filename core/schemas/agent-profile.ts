import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { limits } from './limits.js';
import { nullable } from './shapes.js';

const optional = Type.Optional;

const name = Type.String({
  trim: true,
  minLength: limits.agentName.min,
  maxLength: limits.agentName.max,
  description: 'Trimmed, 1 to 255 characters',
});

/** Optional fields of requests. A field is null until it is set; null or an empty string clears it. */
const details = {
  url: optional(
    nullable(
      Type.String({
        format: 'http-url-or-empty',
        description: 'Website of the agent; an empty string or null clears it',
      }),
    ),
  ),
};

type Detail = keyof typeof details;

/** Fields of an agent that clients set, in the request that creates it. */
export const newProfile = { name, ...details };
/** The same fields in the request that changes an agent. */
export const changedProfile = { name: optional(name), ...details };
/** The same fields in responses and archives. */
export const storedProfile = {
  name: Type.String(),
  url: nullable(Type.String()),
} satisfies Record<keyof typeof newProfile, TSchema>;

const profileSchema = Type.Object(storedProfile);
export type AgentProfile = Static<typeof profileSchema>;

/** Optional fields of a new agent: all null. */
export const emptyDetails = Object.fromEntries(
  Object.keys(details).map((detail) => [detail, null]),
) as Record<Detail, null>;

type ProfileOf<P> = Pick<P, keyof AgentProfile & keyof P>;

/** Picks the profile from a request or an agent. Replaces an empty string by null. */
export const profileOf = <P extends Partial<AgentProfile>>(from: P): ProfileOf<P> =>
  Object.fromEntries(
    Object.keys(storedProfile).flatMap((field) => {
      const value = from[field as keyof AgentProfile];
      return value === undefined ? [] : [[field, value === '' ? null : value]];
    }),
  ) as ProfileOf<P>;
