import { key, section } from '../declaration/key.ts';
import { boolean } from '../declaration/value-types.ts';

/** The rights that a caller needs for a request, and for single fields. */
export const authorization = section({
  require_authentication: key(boolean, { default: false, note: 'Rejects requests without a token' }),
  directives: key(
    section({
      enabled: key(boolean, {
        default: true,
        note: 'Enforces @authenticated, @requiresScopes and @policy',
        paid: true,
      }),
    }),
    { default: {}, formerly: ['preview_directives'] },
  ),
});
