import type { SubgraphInterceptor } from '@meridian/executor';

import type { Run } from '../operation/run.ts';
import type { ReceivedResponse, ResponseRules } from './response-fields.ts';

/** Keeps the header fields of a subgraph's responses for the client that caused them. */
export function keepFields(rules: ResponseRules): SubgraphInterceptor<Run> {
  return (request, next) => {
    const { received } = request.run;
    if (received === undefined) {
      return next(request);
    }
    const response: ReceivedResponse = { rules, fields: undefined };
    received.push(response);
    return next({
      ...request,
      onFields(fields) {
        response.fields = fields;
        request.onFields?.(fields);
      },
    });
  };
}
