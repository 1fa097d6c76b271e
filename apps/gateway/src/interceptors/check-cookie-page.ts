import type { IncomingHttpHeaders } from 'node:http';

import type { RouterConfig } from '@meridian/router-config';

import { requestError } from '../errors/request-error.ts';
import { preventCsrf } from '../pipeline/1-receive/prevent-csrf.ts';
import { createCredentialCheck } from './cors.ts';

/**
 * Creates the check of a request whose token is in a cookie. A browser sends a cookie with requests of any page. So it
 * counts only where no foreign page can have made the browser send it: after a preflight (or with the check of a
 * WebSocket’s origin), and from a page of the gateway's own origin or one that CORS allows to send credentials. Other
 * clients have to send a preflighted header field too.
 *
 * @returns a function that throws {RequestError} BAD_REQUEST
 */
export function createCookieCheck({ cors, csrf }: RouterConfig): (headers: IncomingHttpHeaders) => void {
  const mayPageSend = createCredentialCheck(cors);
  const strict = { ...csrf, unsafe_disabled: false };
  return (headers) => {
    preventCsrf(headers, strict);
    if (!mayPageSend(headers)) {
      throw requestError(
        'BAD_REQUEST',
        'This request is blocked as a potential cross-site request forgery: its token is in a cookie, and no policy of cors lets pages of this origin send credentials',
      );
    }
  };
}
