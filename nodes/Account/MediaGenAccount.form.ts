import { nodeProperties } from '../shared/form/node';
import { ACCOUNT_CATALOG } from '../shared/spec/catalogs';

export { ACCOUNT_HINT as BUILDER_HINT } from '../shared/form/words';
export { SUBTITLE, WAITING_TOOLTIP } from '../shared/form/words';

export const properties = () => nodeProperties(ACCOUNT_CATALOG);
