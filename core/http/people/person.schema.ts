import { Type } from '@sinclair/typebox';
import { limits } from '../../schemas/limits.js';

const { name } = limits.people;

/** The name of a person, without control characters. */
export const personName = Type.String({
  trim: true,
  minLength: name.min,
  maxLength: name.max,
  pattern: '^[^\\p{Cc}]*$',
  examples: ['Ada Lovelace'],
});

/** Name of a time zone of the IANA database. */
export const timeZone = Type.String({
  format: 'time-zone',
  minLength: 1,
  maxLength: 64,
  examples: ['Europe/Berlin'],
});
