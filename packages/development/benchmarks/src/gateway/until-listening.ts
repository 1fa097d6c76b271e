import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until a server responds at all.
 *
 * @throws {Error} where its process ends instead, with its last output, or after 30 seconds
 */
export async function untilListening(child: ChildProcess, url: string): Promise<void> {
  let written = '';
  child.stdout?.on('data', (chunk: Buffer) => void (written = (written + chunk.toString()).slice(-2000)));
  child.stderr?.on('data', (chunk: Buffer) => void (written = (written + chunk.toString()).slice(-2000)));
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if (child.exitCode !== null) {
      throw new Error(lastWords(written));
    }
    const isListening = await fetch(url).then(
      () => true,
      () => false,
    );
    if (isListening) {
      return;
    }
    await sleep(100);
  }
  throw new Error(`it does not listen. ${lastWords(written)}`);
}

function lastWords(text: string): string {
  const line = text.split('\n').find((candidate) => /error|must|cannot/i.test(candidate)) ?? text;
  return line.trim().slice(0, 200);
}
