const answer = await fetch("/token", { method: "POST" });
const { token } = await answer.json();

Farthing.mount("#shop", {
  token,
  environment: "production",
  path: "/pay",
  className: "payment",
  onEvent: (event) => (document.querySelector("output").textContent = event.type),
});
