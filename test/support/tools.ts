import { spawnSync } from 'node:child_process';

/** Why tests that need a program are skipped, or false. With REQUIRE_SERVICES=1 they are never skipped. */
export const programMissing = (
  program: string,
  versionFlag: string,
  debianPackage: string,
): string | false =>
  process.env.REQUIRE_SERVICES === '1' || spawnSync(program, [versionFlag]).status === 0
    ? false
    : `${program} is not in PATH (Debian package ${debianPackage})`;
