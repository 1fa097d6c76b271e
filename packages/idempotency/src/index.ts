export { answerOnce, type IdempotentRequest } from './answer-once.ts';
export { idempotencyKeyHeader, idempotencyKeyOf } from './idempotency-key.ts';
