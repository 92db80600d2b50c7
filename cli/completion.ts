import type { Command } from 'commander';

/** Subcommands and options that complete the words of `path`. */
interface Place {
  path: string[];
  words: string[];
}

const optionsOf = ({ options }: Command): string[] =>
  options.filter(({ hidden }) => !hidden).flatMap(({ long }) => (long ? [long] : []));

function placesOf(command: Command, path: string[]): Place[] {
  const below = command.commands.map((inner) => placesOf(inner, [...path, inner.name()]));
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  const names = command.commands.map((inner) => inner.name());
  return [{ path, words: [...names, ...choices, ...optionsOf(command), '--help'] }, ...below.flat()];
}

const quoted = (words: string[]): string => `'${words.join(' ')}'`;

/** The script finds the command from the words before the cursor, skipping options and their values. */
const bash = (program: Command): string => {
  const places = placesOf(program, []);
  const cases = places.map(({ path, words }) => `    ${quoted(path)}) words=${quoted(words)} ;;`);
  const known = places.flatMap(({ path }) => (path.length > 0 ? [quoted(path)] : [])).join(' | ');
  return `_cadre() {
  local at='' next word words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    next="\${at:+$at }$word"
    case "$next" in
    ${known}) at="$next" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _cadre cadre
`;
};

const zsh = (program: Command): string => `autoload -U +X bashcompinit && bashcompinit\n${bash(program)}`;

/** Completion scripts by shell. */
export const completionScripts = { bash, zsh } as const satisfies Record<
  string,
  (program: Command) => string
>;
