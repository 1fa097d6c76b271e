import process from 'node:process';

import { CommandError } from '@meridian/settings/command-line';

/** The call of the command. */
export interface ExplanationCall {
  /** A trace id or a request id. */
  readonly id: string;
  /** Of the gateway's admin listener, without a path. */
  readonly adminUrl: string;
  /** Of `meridian.explain`. */
  readonly secret: string;
  readonly json: boolean;
}

/** The admin listener of a gateway that no stack has started. */
export const usualAdminUrl = 'http://127.0.0.1:8088';

/**
 * Prints what happened to a recent request, from the gateway's admin listener.
 *
 * @throws {CommandError} when the gateway does not return it
 */
export async function printExplanation({ id, adminUrl, secret, json }: ExplanationCall): Promise<void> {
  const url = new URL(`/explain?id=${encodeURIComponent(id)}`, adminUrl);
  const accept = json ? 'application/json' : 'text/plain';
  const response = await fetch(url, { headers: { accept, authorization: `Bearer ${secret}` } }).catch(
    (error: unknown) => {
      throw new CommandError(
        `Nothing listens at ${url.origin}: is the gateway running? --admin-url names its admin listener`,
        { cause: error },
      );
    },
  );
  const text = await response.text();
  if (!response.ok) {
    throw new CommandError(reasonOf(response.status, id, url));
  }
  process.stdout.write(json ? `${text}\n` : text);
}

function reasonOf(status: number, id: string, { origin }: URL): string {
  switch (status) {
    case 401:
      return `The gateway at ${origin} takes another secret: set EXPLAIN_SECRET to its meridian.explain.secret`;
    case 404:
      return `The gateway at ${origin} knows no request ${id}: it was too long ago, came to another gateway, or meridian.explain is off`;
    default:
      return `The gateway at ${origin} responds with the status ${status}`;
  }
}
