import { describe, expect, it } from '@jest/globals';

import type { CallOutcome, CircuitState } from '../../src/subgraphs/circuit-breaker/circuit.ts';
import { Circuit } from '../../src/subgraphs/circuit-breaker/circuit.ts';

const rules = {
  consecutive_failures: 3,
  failure_rate_threshold: 0.5,
  min_requests: 4,
  window_size: 6,
  open_duration: 1000,
};

/** A circuit whose clock the test turns. */
function circuitWith(own: Partial<typeof rules> = {}) {
  let nowMs = 0;
  const changes: CircuitState[] = [];
  const circuit = new Circuit(
    { ...rules, ...own },
    (state) => changes.push(state),
    () => nowMs,
  );
  const start = (): ((outcome: CallOutcome) => void) => {
    const permit = circuit.admit();
    if (!('end' in permit)) {
      throw new Error(`refused for ${permit.retryAfterMs} ms`);
    }
    return permit.end;
  };
  return {
    circuit,
    changes,
    start,
    run: (...outcomes: CallOutcome[]) => outcomes.forEach((outcome) => start()(outcome)),
    wait: (ms: number) => void (nowMs += ms),
  };
}

describe('A circuit', () => {
  it('opens after failures in a row, and not before', () => {
    const { circuit, run, wait } = circuitWith({ failure_rate_threshold: 1 });
    run('failure', 'failure', 'success', 'failure', 'failure');
    expect(circuit.state).toBe('closed');
    run('failure');
    expect(circuit.state).toBe('open');
    wait(400);
    expect(circuit.admit()).toEqual({ retryAfterMs: 600 });
  });

  it('opens by the part of the latest requests that failed, once there are enough', () => {
    const { circuit, run } = circuitWith();
    run('failure', 'success', 'failure');
    expect(circuit.state).toBe('closed');
    run('success', 'success');
    expect(circuit.state).toBe('closed');
    run('failure');
    expect(circuit.state).toBe('open');
  });

  it('forgets outcomes outside its window', () => {
    const { circuit, run } = circuitWith({ consecutive_failures: 100 });
    run('success', 'success', 'failure', 'failure');
    expect(circuit.state).toBe('open');
    const other = circuitWith({ consecutive_failures: 100, min_requests: 6 });
    other.run(
      'failure',
      'failure',
      'success',
      'success',
      'success',
      'success',
      'success',
      'success',
      'failure',
    );
    expect(other.circuit.state).toBe('closed');
    other.run('failure');
    expect(other.circuit.state).toBe('closed');
    other.run('failure');
    expect(other.circuit.state).toBe('open');
  });

  it('lets one trial through after its time, whose success closes it', () => {
    const { circuit, changes, start, run, wait } = circuitWith();
    run('failure', 'failure', 'failure');
    wait(1000);
    const end = start();
    expect(circuit.state).toBe('half_open');
    expect(circuit.admit()).toEqual({ retryAfterMs: 1000 });
    end('success');
    expect(changes).toEqual(['open', 'half_open', 'closed']);
    run('failure', 'failure');
    expect(circuit.state).toBe('closed');
  });

  it('opens again when the trial fails, or takes as long as the circuit was open', () => {
    const { circuit, start, run, wait } = circuitWith();
    run('failure', 'failure', 'failure');
    wait(1000);
    start()('failure');
    expect(circuit.admit()).toEqual({ retryAfterMs: 1000 });
    wait(1000);
    const late = start();
    wait(1000);
    expect(circuit.admit()).toEqual({ retryAfterMs: 1000 });
    late('success');
    expect(circuit.state).toBe('open');
  });

  it('tries again at once when a trial had no outcome', () => {
    const { circuit, start, run, wait } = circuitWith();
    run('failure', 'failure', 'failure');
    wait(1000);
    start()('unknown');
    start()('success');
    expect(circuit.state).toBe('closed');
  });

  it('does not count outcomes of requests from before it opened', () => {
    const { circuit, start, run, wait } = circuitWith();
    const slow = [start(), start(), start()];
    run('failure', 'failure', 'failure');
    wait(1000);
    start()('success');
    slow.forEach((end) => end('failure'));
    expect(circuit.state).toBe('closed');
  });
});
