import { boolean } from '../kinds/boolean.ts';
import { defaulting } from '../kinds/key.ts';
import { section } from '../kinds/section.ts';

/** Apollo Router shows its Sandbox; this gateway shows GraphiQL, in development only. */
export const sandbox = section({ enabled: defaulting(boolean, false) });
