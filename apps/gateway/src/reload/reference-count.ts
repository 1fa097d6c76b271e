/** Counts who uses something, so that it is given up only when nobody does. */
export interface ReferenceCount {
  /** Begins a use, which the function that it returns ends. */
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
