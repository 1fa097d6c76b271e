/** Counts who uses something, so that it is given up only when nobody does. */
export interface InUse {
  /** Begins a use, which the function that it returns ends. */
  enter(): () => void;
  /** Resolves when every use that has begun has ended. */
  whenIdle(): Promise<void>;
}

export function createInUse(): InUse {
  let uses = 0;
  let idle: PromiseWithResolvers<void> | undefined;
  const leave = (): void => {
    uses -= 1;
    if (uses === 0) {
      idle?.resolve();
    }
  };
  return {
    enter() {
      uses += 1;
      return leave;
    },
    async whenIdle() {
      if (uses > 0) {
        idle ??= Promise.withResolvers();
        await idle.promise;
      }
    },
  };
}
