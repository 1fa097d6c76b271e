import type { ReportedError, SubrequestError } from '@meridian/executor';
import { SubgraphFailure, subrequestMessages } from '@meridian/executor';
import type { GraphQLFormattedError } from 'graphql';

import type { ExecutionCode } from '../../errors/error-codes.ts';
import type { MaskOptions } from '../../config/error-exposure.ts';
import type { RunError } from '../../operation/run.ts';

const maskedMessage = 'The subgraph reported an error';

/** Replaces every code that is not allow-listed, since clients act on codes. */
const maskedCode: ExecutionCode = 'INTERNAL_SERVER_ERROR';

/**
 * The errors of a run as the client gets them. A masked error keeps its path and, if allowed, its code; its message
 * is fixed. Every error has the trace id, which a client can quote.
 *
 * Spec: Errors, rule 4.
 */
export function maskErrors(
  errors: readonly RunError[],
  traceId: string,
  options: MaskOptions,
): readonly GraphQLFormattedError[] {
  return errors.map((error) => {
    const { message, extensions } = shown(error, options);
    return {
      message,
      ...(error.path && { path: error.path }),
      extensions: { ...extensions, traceId },
    };
  });
}

type Shown = Pick<GraphQLFormattedError, 'message'> & {
  readonly extensions: Readonly<Record<string, unknown>>;
};

function shown(error: RunError, options: MaskOptions): Shown {
  switch (error.kind) {
    case 'unauthorized':
      return {
        message: `The caller may not see this field${options.namesRequirements ? `: it requires ${error.requirement}` : ''}`,
        extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE' satisfies ExecutionCode },
      };
    case 'subrequest':
      return shownSubrequest(error, options);
    case 'reported':
      return shownReport(error, options);
    case 'omitted':
      return { message: 'Further errors are left out', extensions: { code: maskedCode } };
    case 'internal':
    default:
      return { message: 'The gateway failed', extensions: { code: maskedCode } };
  }
}

function shownSubrequest({ code, subgraph, cause }: SubrequestError, { exposureOf }: MaskOptions): Shown {
  const exposure = subgraph === undefined ? undefined : exposureOf(subgraph);
  const { status, retryAfterMs } = cause instanceof SubgraphFailure ? cause : {};
  return {
    message: subrequestMessages[code],
    extensions: {
      code,
      ...(retryAfterMs !== undefined && { retryAfter: Math.max(1, Math.ceil(retryAfterMs / 1000)) }),
      ...(exposure?.showsExtension('service') && { service: subgraph }),
      ...(status !== undefined && exposure?.showsExtension('http') && { http: { status } }),
    },
  };
}

function shownReport({ message, extensions, subgraph }: ReportedError, options: MaskOptions): Shown {
  const { code } = extensions;
  const isAllowed = typeof code === 'string' && options.allowedCodes.has(code);
  const shownCode = { code: isAllowed ? code : maskedCode };
  const exposure = options.exposureOf(subgraph);
  if (exposure === undefined) {
    return { message: maskedMessage, extensions: shownCode };
  }
  const written = Object.entries({ ...extensions, service: subgraph });
  return {
    message: exposure.showsMessage ? message : maskedMessage,
    extensions: {
      ...(!exposure.showsExtension('code') && shownCode),
      ...Object.fromEntries(written.filter(([key]) => exposure.showsExtension(key))),
    },
  };
}
