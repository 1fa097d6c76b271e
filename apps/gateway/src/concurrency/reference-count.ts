/** Counts the users of a resource, so that it closes only after the last one. */
export function createReferenceCount() {
  let uses = 0;
  let idle: PromiseWithResolvers<void> | undefined;
  const leave = (): void => {
    uses -= 1;
    if (uses === 0) {
      idle?.resolve();
    }
  };
  return {
    /** Begins a use. The returned function ends it. */
    acquire(): () => void {
      uses += 1;
      return leave;
    },
    /** Resolves when every use that has begun has ended. */
    async whenReleased(): Promise<void> {
      if (uses > 0) {
        idle ??= Promise.withResolvers();
        await idle.promise;
      }
    },
  };
}
