import { defineEnvironments } from "@farthing/widget/element-react";
import { useState } from "react";

defineEnvironments({ production: { baseUrl: "https://club.example", publishableKey: "pk_live_…" } });

export function Payment({ token }: { token: string }) {
  const [status, setStatus] = useState("");
  return (
    <>
      <farthing-widget
        className="payment"
        token={token}
        environment="production"
        path="/pay"
        showPaymentErrors
        onEvent={(event) => setStatus(event.type)}
      />
      <output>{status}</output>
    </>
  );
}
