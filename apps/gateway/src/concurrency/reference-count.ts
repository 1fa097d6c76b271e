/** Counts the users of a resource, so that it closes only after the last one. */
export interface ReferenceCount {
  /** Begins a use. The returned function ends it. */
  acquire(): () => void;
  /** Resolves when every use that has begun has ended. */
  whenReleased(): Promise<void>;
}

export function createReferenceCount(): ReferenceCount {
  let uses = 0;
  let idle: PromiseWithResolvers<void> | undefined;
  const leave = (): void => {
    uses -= 1;
    if (uses === 0) {
      idle?.resolve();
    }
  };
  return {
    acquire() {
      uses += 1;
      return leave;
    },
    async whenReleased() {
      if (uses > 0) {
        idle ??= Promise.withResolvers();
        await idle.promise;
      }
    },
  };
}
