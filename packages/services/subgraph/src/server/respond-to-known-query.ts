import type { SubgraphContext } from '../context.ts';
import type { FormatError } from '../errors/format-error.ts';
import { formatErrors } from '../errors/format-error.ts';
import { logUnexpectedErrors } from '../errors/log-unexpected-errors.ts';
import type { KnownQueries } from './known-queries.ts';

export interface KnownQueryOptions {
  readonly knownQueries: KnownQueries;
  readonly formatError: FormatError;
  readonly context: SubgraphContext<unknown>;
}

/**
 * Responds to a query that Apollo Server has validated before, byte for byte as it would, without its pipeline, which
 * takes a fifth of the time of a request. Undefined for any other request, of which nothing has run.
 *
 * @param body of the request, unchecked
 */
export async function respondToKnownQuery(
  body: unknown,
  { knownQueries, formatError, context }: KnownQueryOptions,
): Promise<string | undefined> {
  if (!isPlainRequest(body)) {
    return undefined;
  }
  const query = knownQueries.find(body.query, body.operationName ?? undefined);
  const result = await query?.run(body.variables ?? {}, context);
  if (query === undefined || result?.data === undefined) {
    return undefined;
  }
  const { data, errors = [] } = result;
  if (errors.length === 0) {
    return `${JSON.stringify({ data })}\n`;
  }
  logUnexpectedErrors(errors, context, query.name);
  return `${JSON.stringify({ errors: formatErrors(errors, formatError), data })}\n`;
}

/** Checks that a body has only the members that a gateway sends. */
interface PlainRequest {
  readonly query: string;
  readonly operationName?: string | null;
  readonly variables?: Readonly<Record<string, unknown>> | null;
}

function isPlainRequest(body: unknown): body is PlainRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return false;
  }
  const { query, operationName, variables, extensions }: Partial<Record<string, unknown>> = { ...body };
  return (
    typeof query === 'string' &&
    (typeof operationName === 'string' || operationName === undefined || operationName === null) &&
    ((typeof variables === 'object' && !Array.isArray(variables)) || variables === undefined) &&
    (extensions === undefined || extensions === null)
  );
}
