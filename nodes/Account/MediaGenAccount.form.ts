import { catalogProperties } from '../shared/form/catalogProperties';
import { ACCOUNT_CATALOG } from '../shared/spec/catalogs';

export { ACCOUNT_HINT as BUILDER_HINT } from '../shared/form/builderHints';
export { SUBTITLE, WAITING_TOOLTIP } from '../shared/form/expressions';

export const properties = () => catalogProperties(ACCOUNT_CATALOG);
