import { mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';

/** Renames the logs of the last start to `<name>.previous.log`, replacing older ones. */
export async function rotateLogs(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const logs = (await readdir(folder)).filter((name) => /^[^.]+\.log$/u.test(name));
  await Promise.all(
    logs.map((name) => rename(join(folder, name), join(folder, name.replace('.log', '.previous.log')))),
  );
}
