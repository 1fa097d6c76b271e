/** An event of a subscription, as its `subscribe` resolver yields it. */
export interface SubscriptionEvent<Value> {
  /** The value of the field; the field's `resolve`, if it has one, gets it as its parent. */
  readonly value: Value;
  /** The place of the event in its stream, to go on from: opaque to clients. */
  readonly cursor?: string;
}

/** The events of a subscription, as its `subscribe` resolver returns them. */
export interface SubscriptionEvents<Value> extends AsyncIterable<SubscriptionEvent<Value>> {
  /** The place at which they begin. With it, a subscriber that has had no event can go on, too. */
  readonly cursor?: string;
}
