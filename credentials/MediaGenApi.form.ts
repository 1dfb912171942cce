export { MORE_SETTINGS } from '../nodes/shared/form/credentialProperties';
export { CREDENTIAL_TEST } from '../nodes/shared/service/credential';
