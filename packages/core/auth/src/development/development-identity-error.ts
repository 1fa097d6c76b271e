/** The development identity on disk cannot be used. The message says what to do. */
export class DevelopmentIdentityError extends Error {
  override readonly name = 'DevelopmentIdentityError';
}
