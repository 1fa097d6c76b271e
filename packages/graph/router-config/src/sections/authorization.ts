import { checked } from '../declaration/key-type.ts';
import { flag, key, section } from '../declaration/key.ts';
import { boolean, oneOf } from '../declaration/value-types.ts';

const directives = checked(
  section({
    enabled: key(boolean, {
      default: true,
      note: 'Enforces @authenticated, @requiresScopes and @policy',
      paid: true,
    }),
    dry_run: flag(
      'Reports unauthorized fields as errors, and sends them all the same: callers see everything that subgraphs show them',
    ),
    reject_unauthorized: flag(
      'Rejects the whole request with UNAUTHORIZED_FIELD_OR_TYPE, 403 for clients that accept application/graphql-response+json, where it selects an unauthorized field, also one that @skip or @include leaves out. Else the field is null, and the rest of the operation runs',
    ),
    errors: section({
      log: flag(
        'Writes a log line with the paths of unauthorized fields. Apollo Router’s default is `true`; here the request’s own line has the code',
      ),
      response: key(oneOf('errors', 'extensions', 'disabled'), {
        default: 'errors',
        note: 'The place of the errors of unauthorized fields: `errors`; `extensions.authorizationErrors`, for responses in one part; or none. Errors of a rejected request are always in `errors`',
      }),
    }),
  }),
  ({ dry_run: isDryRun, reject_unauthorized: rejects }) =>
    isDryRun && rejects ? 'takes either dry_run or reject_unauthorized' : undefined,
);

/** The rights that a caller needs for a request, and for single fields. */
export const authorization = section({
  require_authentication: flag('Rejects requests without a token'),
  directives: key(directives, { default: {}, formerly: ['preview_directives'] }),
});
