import { mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';

/** Sets the logs of the last start aside as `<name>.previous.log`, in place of those before them. */
export async function rotateLogs(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const logs = (await readdir(folder)).filter((name) => /^[^.]+\.log$/u.test(name));
  await Promise.all(
    logs.map((name) => rename(join(folder, name), join(folder, name.replace('.log', '.previous.log')))),
  );
}
