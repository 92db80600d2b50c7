import { readFileSync } from 'node:fs';
import { projectFile } from '../support/project-folder.js';
import { parseBlockYaml, type Yaml } from './block-yaml.js';

/** The deployment files of Cadre as data. */

export const textOf = (path: string): string => readFileSync(projectFile(path), 'utf8');

export interface ComposeService {
  image?: string;
  build?: { context: string; target: string };
  command?: string[];
  /** A name without a value is passed on from the environment of compose. */
  environment?: Record<string, string | null>;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  networks?: string[] | Record<string, unknown>;
  ports?: string[];
  volumes?: string[];
  profiles?: string[];
  restart?: string;
  stop_grace_period?: string;
  deploy?: { replicas?: string; resources?: { limits?: { memory?: string } } };
}

export interface ComposeFile {
  services: Record<string, ComposeService>;
  networks: Record<string, { internal?: string } | null>;
  volumes: Record<string, null>;
}

export const composeFile = (): ComposeFile =>
  parseBlockYaml(textOf('docker-compose.yml')) as unknown as ComposeFile;

/** Every `${NAME:?message}` in a text. Other forms of `${…}` have no message. */
export function variablesIn(text: string): { name: string; message: string }[] {
  return text
    .split('${')
    .slice(1)
    .map((rest) => rest.slice(0, rest.indexOf('}')))
    .map((inside) => {
      const [name = '', ...message] = inside.split(':?');
      return { name, message: message.join(':?') };
    });
}

/** Substitutes variables like compose. */
export const interpolated = (text: string, values: Record<string, string>): string =>
  variablesIn(text).reduce((done, { name, message }) => {
    const value = values[name];
    if (!value) throw new Error(`${name}: ${message}`);
    return done.replaceAll(`\${${name}:?${message}}`, value);
  }, text);

/** Variables that the file itself gives to a service. */
export const givenTo = ({ environment = {} }: ComposeService): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, text]) => (text === null ? [] : [[name, text]])),
  );

/** Parses a file of `NAME=value` lines. */
export const envFile = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

/** All texts in a value, with their paths. */
export function* textsIn(value: Yaml | undefined, path = ''): Generator<{ path: string; text: string }> {
  if (typeof value === 'string') yield { path, text: value };
  else if (value !== null && typeof value === 'object')
    for (const [key, inner] of Object.entries(value))
      yield* textsIn(inner, path === '' ? key : `${path}.${key}`);
}

/** An instruction of a Dockerfile, with its stage. */
export interface Instruction {
  stage: string;
  word: string;
  rest: string;
}

export function dockerfile(): Instruction[] {
  let stage = '';
  return textOf('Dockerfile')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const word = line.slice(0, line.indexOf(' '));
      const rest = line.slice(line.indexOf(' ') + 1);
      if (word === 'FROM') stage = rest.split(' AS ').at(1) ?? '';
      return { stage, word, rest };
    });
}
