const answer = await fetch("/token", { method: "POST" });
const { token } = await answer.json();

Farthing.mount("#shop", {
  token,
  environment: "production",
  path: "/pay",
  className: "payment",
  showPaymentErrors: true,
  onEvent: (event) => (document.querySelector("output").textContent = event.type),
});
