export { Elements, PaymentElement } from "@stripe/react-stripe-js";
export { loadStripe } from "@stripe/stripe-js/pure";
