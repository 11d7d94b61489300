/** What became of a delivery. `given-up`: all attempts failed, or the endpoint was disabled; it can be replayed. */
export const deliveryStates = ["waiting", "delivered", "given-up"] as const;
export type DeliveryState = (typeof deliveryStates)[number];
