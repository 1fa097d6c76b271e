export { type AnswerChecker, createAnswerChecker, type ObservedAnswer } from './answer-checker.ts';
export { openApiFaults } from './openapi-faults.ts';
