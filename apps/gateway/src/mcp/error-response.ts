import type { HttpResponse } from '@meridian/http';

/** JSON-RPC 2.0 §5.1. */
const codes: Readonly<Record<number, number>> = { 400: -32_600, 404: -32_601 };
/** For all others: of the range that JSON-RPC leaves to servers. */
const serverError = -32_000;

/** The response to a message that does not get to the protocol's library. */
export function errorResponse(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  id: unknown = null,
): HttpResponse {
  return {
    status,
    headers: { ...headers, 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: typeof id === 'string' || typeof id === 'number' ? id : null,
      error: { code: codes[status] ?? serverError, message },
    }),
  };
}
