import { boolean } from '../declaration/boolean.ts';
import { defaulting } from '../declaration/key.ts';
import { section } from '../declaration/section.ts';

/** The rights that a caller needs for a request, and for single fields. */
export const authorization = section({
  require_authentication: defaulting(boolean, false),
  /** `@authenticated`, `@requiresScopes` and `@policy`. */
  directives: defaulting(section({ enabled: defaulting(boolean, true) }), {}),
});
