/** Shows progress: a bar that moves on a terminal, one line at the end elsewhere. */
export interface Progress {
  update(done: number, total: number): void;
  end(): void;
}

const barWidth = 30;

export function createProgress(
  name: string,
  out: { readonly isTTY?: boolean; write(text: string): unknown },
  now: () => number = () => performance.now(),
): Progress {
  const startedAt = now();
  let line = `${name}: nothing to do`;
  return {
    update(done, total) {
      const seconds = (now() - startedAt) / 1000;
      const filled = Math.round((barWidth * done) / total);
      const bar = `${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}`;
      const remaining = (seconds / done) * (total - done);
      line = `${name.padEnd(9)} [${bar}] ${done}/${total}  ${done < total ? `${duration(remaining)} to go` : `took ${duration(seconds)}`}`;
      if (out.isTTY === true) {
        out.write(`\r\u001B[K${line}`);
      }
    },
    end() {
      out.write(out.isTTY === true ? '\n' : `${line}\n`);
    },
  };
}

function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
