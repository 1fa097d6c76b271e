import type { ServerResponse } from 'node:http';

/** The status in logs, metrics and traces of a request whose client hung up before the end of the response. */
export const clientClosedStatus = 499;

/** The final status of a closed response. */
export function finalStatus({ writableFinished, statusCode }: ServerResponse): number {
  return writableFinished ? statusCode : clientClosedStatus;
}
