import { boolean } from '../value-types/boolean.ts';
import { defaulting } from '../value-types/key.ts';
import { section } from '../value-types/section.ts';

/** Apollo Router shows its Sandbox; this gateway shows GraphiQL, in development only. */
export const sandbox = section({ enabled: defaulting(boolean, false) });
