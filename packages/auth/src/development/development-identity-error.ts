/** The development identity cannot be used as it is on disk. The message says what to do. */
export class DevelopmentIdentityError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DevelopmentIdentityError';
  }
}
