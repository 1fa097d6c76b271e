import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { Client, escapeIdentifier, escapeLiteral } from 'pg';

import { checkout } from '../data-directory.ts';
import type { ProcessRecord } from '../run/process-record.ts';
import { startProgram } from '../run/program.ts';
import type { Program } from '../run/program.ts';
import { StackError } from '../stack-error.ts';

export interface DemoDataOptions {
  readonly service: string;
  /** The service's database, as its owner. */
  readonly ownerUrl: string;
  /** The program that inserts the data. It leaves existing rows as they are. */
  readonly seed: Program;
  readonly record: ProcessRecord;
  readonly onProgress: (done: number, total: number) => void;
  /** Ends the seed. */
  readonly signal: AbortSignal;
}

/**
 * Fills a service's database with demo data, unless it has the data of this version of the seed. The database's comment
 * records the version, so the check works on any server.
 */
export async function fillWithDemoData(options: DemoDataOptions): Promise<void> {
  const comment = `Meridian demo data ${await fingerprintOf(options.seed)}`;
  const client = new Client({
    connectionString: options.ownerUrl,
    application_name: 'meridian-demo-data',
  });
  // A lost connection fails the statement and emits this event. Without a listener, the event would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    if ((await readComment(client)) !== comment) {
      await runSeed(options);
      await writeComment(client, comment);
    }
  } finally {
    await client.end();
  }
}

/** The version of a seed: it changes with the seed and with its data. */
async function fingerprintOf(seed: Program): Promise<string> {
  const folder = dirname(fileURLToPath(import.meta.resolve('@meridian/demo-data')));
  const data = (await readdir(folder)).toSorted().map((name) => join(folder, name));
  const hash = createHash('sha256');
  for (const path of [join(checkout, seed.entry), ...data]) {
    hash.update(await readFile(path));
  }
  return hash.digest('hex').slice(0, 16);
}

async function readComment(client: Client): Promise<string | undefined> {
  const { rows } = await client.query<{ comment: string | null }>(
    `select shobj_description(oid, 'pg_database') as comment from pg_database where datname = current_database()`,
  );
  return rows[0]?.comment ?? undefined;
}

async function writeComment(client: Client, comment: string): Promise<void> {
  const database = escapeIdentifier(client.database ?? '');
  await client.query(`comment on database ${database} is ${escapeLiteral(comment)}`);
}

async function runSeed({ service, seed, record, onProgress, signal }: DemoDataOptions): Promise<void> {
  const { child, ended } = await startProgram(seed, record, 'pipe');
  const kill = (): boolean => child.kill('SIGKILL');
  signal.addEventListener('abort', kill);
  if (child.stdout !== null) {
    for await (const line of createInterface(child.stdout)) {
      const [, done, total] = /^seed (\d+) (\d+)$/u.exec(line) ?? [];
      if (done !== undefined) {
        onProgress(Number(done), Number(total));
      }
    }
  }
  const { isGood, how } = await ended;
  signal.removeEventListener('abort', kill);
  if (!isGood) {
    throw new StackError(`The demo data of ${service} could not be inserted: its seed ${how}`);
  }
}
