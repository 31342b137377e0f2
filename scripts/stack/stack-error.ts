/** A start that can't go on, for a reason the user can act on: shown without a stack trace. */
export class StackError extends Error {}
