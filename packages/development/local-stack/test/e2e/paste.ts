import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { text } from 'node:stream/consumers';

/** Runs lines in bash as a person would paste them, in any folder, but so that the first failure ends it. */
export async function paste(lines: string): Promise<{ code: unknown; output: string; errors: string }> {
  const bash = spawn('bash', ['-e', '-u', '-o', 'pipefail'], { cwd: tmpdir() });
  bash.stdin.end(lines);
  const [output, errors, [code]] = await Promise.all([
    text(bash.stdout),
    text(bash.stderr),
    once(bash, 'exit'),
  ]);
  return { code, output, errors };
}
