import { href } from "react-router";

/** Where the money of a withdrawal is that failed or came back: not all of it, where part was taken back or is held. */
export function BackInBalance({ isWhole }: { isWhole: boolean }) {
  if (isWhole) return <>The money is back in your balance.</>;
  return (
    <>
      What is left of it is in your balance. <a href={href("/money")}>See your money</a>.
    </>
  );
}
