import { boolean } from '../declaration/boolean.ts';
import { defaulting } from '../declaration/key.ts';
import { section } from '../declaration/section.ts';

/** Apollo Router shows its Sandbox; this gateway shows GraphiQL, in development only. */
export const sandbox = section({ enabled: defaulting(boolean, false) });
