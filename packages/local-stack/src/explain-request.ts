import { existsSync } from 'node:fs';
import process from 'node:process';

import { dataDirectoryAt } from './data-directory.ts';
import type { ExplainOptions } from './explain-options.ts';
import { explainSecretPurpose } from './run/service-environment.ts';
import { StackError } from './stack-error.ts';
import { readStackRecord } from './stack-record.ts';
import { openStackSecret } from './stack-secret.ts';

/** Of a gateway that no stack has started. */
const usualAdminUrl = 'http://127.0.0.1:8088';

/** Prints what happened to a recent request, from the gateway's admin listener. */
export async function explainRequest(options: ExplainOptions): Promise<void> {
  process.stdout.write(await explanationOf(options));
}

async function explanationOf({ id, adminUrl: givenUrl, json, dataRoot }: ExplainOptions): Promise<string> {
  const adminUrl = givenUrl ?? adminUrlOfStack(dataRoot) ?? usualAdminUrl;
  const secret = process.env['EXPLAIN_SECRET'] ?? (await stackSecret(dataRoot));
  const url = new URL(`/explain?id=${encodeURIComponent(id)}`, adminUrl);
  const accept = json ? 'application/json' : 'text/plain';
  const response = await fetch(url, { headers: { accept, authorization: `Bearer ${secret}` } }).catch(
    (error: unknown) => {
      throw new StackError(
        `Nothing answers at ${url.origin}: is the gateway running? --admin-url says where its admin listener is`,
        { cause: error },
      );
    },
  );
  const text = await response.text();
  if (response.ok) {
    return json ? `${text}\n` : text;
  }
  throw new StackError(reasonOf(response.status, id, url));
}

function adminUrlOfStack(dataRoot: string): string | undefined {
  return readStackRecord(dataDirectoryAt(dataRoot).running)?.gatewayAdminUrl;
}

async function stackSecret(dataRoot: string): Promise<string> {
  const path = dataDirectoryAt(dataRoot).secret;
  if (!existsSync(path)) {
    throw new StackError(
      `There is no secret: ${dataRoot} holds none, as pnpm start has not run there, and EXPLAIN_SECRET is not set`,
    );
  }
  return (await openStackSecret(path))(explainSecretPurpose);
}

function reasonOf(status: number, id: string, { origin }: URL): string {
  switch (status) {
    case 401:
      return `The gateway at ${origin} takes another secret: set EXPLAIN_SECRET to its meridian.explain.secret`;
    case 404:
      return `The gateway at ${origin} knows no request ${id}: it was too long ago, came to another gateway, or meridian.explain is off`;
    default:
      return `The gateway at ${origin} answers with the status ${status}`;
  }
}
