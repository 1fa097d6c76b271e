import type { ServerResponse } from 'node:http';

/** The status that logs, metrics and traces show for a request whose client went away before the response was out. */
const clientClosedStatus = 499;

/** The status of a response that is closed. */
export function finalStatus({ writableFinished, statusCode }: ServerResponse): number {
  return writableFinished ? statusCode : clientClosedStatus;
}
