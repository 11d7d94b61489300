export * from "@shopify/checkout-kit";
