export const PRE_FLIGHT_DIALOG_ID = "pre-flight-dialog";
