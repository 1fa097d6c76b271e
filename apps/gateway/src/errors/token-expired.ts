/** Aborts a request in parts whose caller's token has expired. */
export class TokenExpired extends Error {
  override readonly name = 'TokenExpired';

  constructor() {
    super('The token has expired');
  }
}
