export { MORE_SETTINGS } from '../nodes/shared/form/credential';
export { CREDENTIAL_TEST } from '../nodes/shared/service/credential';
