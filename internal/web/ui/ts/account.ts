// The script of the sign-in and of the settings.
import "./elements/pass-key";
import "./elements/push-switch";
