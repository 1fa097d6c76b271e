export { answerOnce, type IdempotentRequest } from './answer-once.ts';
export { idempotencyKeyOf } from './idempotency-key.ts';
