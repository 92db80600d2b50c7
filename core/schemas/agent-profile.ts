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

/** Optional fields in requests. They are null until they are set; null or an empty string clears them. */
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

/** The fields of an agent that clients set, in the request that creates it. */
export const newProfile = { name, ...details };
/** In the request that changes it. */
export const changedProfile = { name: optional(name), ...details };
/** In responses and archives. */
export const storedProfile = {
  name: Type.String(),
  url: nullable(Type.String()),
} satisfies Record<keyof typeof newProfile, TSchema>;

const profileSchema = Type.Object(storedProfile);
export type AgentProfile = Static<typeof profileSchema>;

/** The optional fields of a new agent. */
export const emptyDetails = Object.fromEntries(
  Object.keys(details).map((detail) => [detail, null]),
) as Record<Detail, null>;

type ProfileOf<P> = Pick<P, keyof AgentProfile & keyof P>;

/** Picks the profile from a request or an agent, with null for an empty string. */
export const profileOf = <P extends Partial<AgentProfile>>(from: P): ProfileOf<P> =>
  Object.fromEntries(
    Object.keys(storedProfile).flatMap((field) => {
      const value = from[field as keyof AgentProfile];
      return value === undefined ? [] : [[field, value === '' ? null : value]];
    }),
  ) as ProfileOf<P>;
