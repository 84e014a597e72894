// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import "./SpendPermission.sol";

interface IExecutingAccount {
    function execute(address target, uint256 value, bytes calldata data) external payable;
}

/// Checks signatures of keys (ECDSA), of contracts (ERC-1271) and of contracts that are not deployed yet (ERC-6492),
/// which it deploys. It makes calls that the signature chooses, so it must never have rights or balances. The manager,
/// which owns accounts, delegates these calls to it.
contract SignatureValidator {
    bytes32 private constant ERC6492_SUFFIX = 0x6492649264926492649264926492649264926492649264926492649264926492;

    function isValidSignatureAllowingSideEffects(address signer, bytes32 hash, bytes calldata signature)
        external
        returns (bool)
    {
        uint256 length = signature.length;
        if (length < 32 || bytes32(signature[length - 32:]) != ERC6492_SUFFIX) {
            return SignatureChecker.isValidSignatureNow(signer, hash, signature);
        }
        (address target, bytes memory data, bytes memory inner) =
            abi.decode(signature[:length - 32], (address, bytes, bytes));
        if (signer.code.length > 0 && SignatureChecker.isValidSignatureNow(signer, hash, inner)) return true;
        (bool prepared,) = target.call(data);
        return prepared && SignatureChecker.isValidSignatureNow(signer, hash, inner);
    }
}

/// Replaces Coinbase's SpendPermissionManager (0xf85210B21cC50302F477BA56686d2019dC9b67Ad) on the local chain and in
/// tests: the same type, domain, hashes, functions, events and errors for ERC-20 tokens. The original also supports the
/// native coin, batches and MagicSpend; use it on every chain on which it is deployed.
contract SpendPermissionManager is EIP712 {
    using SafeERC20 for IERC20;

    bytes32 public constant SPEND_PERMISSION_TYPEHASH = keccak256(
        "SpendPermission(address account,address spender,address token,uint160 allowance,uint48 period,uint48 start,uint48 end,uint256 salt,bytes extraData)"
    );

    SignatureValidator public immutable signatureValidator = new SignatureValidator();

    mapping(bytes32 hash => bool) private _approved;
    mapping(bytes32 hash => bool) private _revoked;
    mapping(bytes32 hash => PeriodSpend) private _lastUpdatedPeriod;

    event SpendPermissionApproved(bytes32 indexed hash, SpendPermission spendPermission);
    event SpendPermissionRevoked(bytes32 indexed hash, SpendPermission spendPermission);
    event SpendPermissionUsed(
        bytes32 indexed hash, address indexed account, address indexed spender, address token, PeriodSpend periodSpend
    );

    error InvalidSender(address sender, address expected);
    error InvalidSignature();
    error InvalidStartEnd(uint48 start, uint48 end);
    error ZeroToken();
    error ZeroSpender();
    error ZeroPeriod();
    error ZeroAllowance();
    error ZeroValue();
    error UnauthorizedSpendPermission();
    error BeforeSpendPermissionStart(uint48 currentTimestamp, uint48 start);
    error AfterSpendPermissionEnd(uint48 currentTimestamp, uint48 end);
    error ExceededSpendPermission(uint256 value, uint256 allowance);

    constructor() EIP712("Spend Permission Manager", "1") {}

    modifier onlySender(address expected) {
        if (msg.sender != expected) revert InvalidSender(msg.sender, expected);
        _;
    }

    function approve(SpendPermission calldata permission) external onlySender(permission.account) returns (bool) {
        return _approve(permission);
    }

    /// Any sender may submit the account's signature. Returns false if the permission has been revoked.
    function approveWithSignature(SpendPermission calldata permission, bytes calldata signature)
        external
        returns (bool)
    {
        bool valid =
            signatureValidator.isValidSignatureAllowingSideEffects(permission.account, getHash(permission), signature);
        if (!valid) revert InvalidSignature();
        return _approve(permission);
    }

    function revoke(SpendPermission calldata permission) external onlySender(permission.account) {
        _revoke(permission);
    }

    function revokeAsSpender(SpendPermission calldata permission) external onlySender(permission.spender) {
        _revoke(permission);
    }

    /// Takes `value` from the account and pays it to the spender.
    function spend(SpendPermission calldata permission, uint160 value) external onlySender(permission.spender) {
        _use(permission, value);
        _execute(permission.account, permission.token, abi.encodeCall(IERC20.approve, (address(this), value)));
        IERC20(permission.token).safeTransferFrom(permission.account, permission.spender, value);
    }

    function isApproved(SpendPermission calldata permission) external view returns (bool) {
        return _approved[getHash(permission)];
    }

    function isRevoked(SpendPermission calldata permission) external view returns (bool) {
        return _revoked[getHash(permission)];
    }

    function isValid(SpendPermission calldata permission) public view returns (bool) {
        bytes32 hash = getHash(permission);
        return _approved[hash] && !_revoked[hash];
    }

    function getLastUpdatedPeriod(SpendPermission calldata permission) external view returns (PeriodSpend memory) {
        return _lastUpdatedPeriod[getHash(permission)];
    }

    /// The period that contains the block's time, with the amount spent. Reverts before the start and after the end.
    function getCurrentPeriod(SpendPermission calldata permission) public view returns (PeriodSpend memory) {
        uint48 time = uint48(block.timestamp);
        if (time < permission.start) revert BeforeSpendPermissionStart(time, permission.start);
        if (time >= permission.end) revert AfterSpendPermissionEnd(time, permission.end);

        PeriodSpend memory last = _lastUpdatedPeriod[getHash(permission)];
        if (last.spend != 0 && time < last.end) return last;

        uint48 start = time - ((time - permission.start) % permission.period);
        bool cut = uint256(start) + permission.period > permission.end;
        return PeriodSpend({start: start, end: cut ? permission.end : start + permission.period, spend: 0});
    }

    /// The hash that the account signs (EIP-712).
    function getHash(SpendPermission calldata permission) public view returns (bytes32) {
        return _hashTypedDataV4(
            keccak256(
                abi.encode(
                    SPEND_PERMISSION_TYPEHASH,
                    permission.account,
                    permission.spender,
                    permission.token,
                    permission.allowance,
                    permission.period,
                    permission.start,
                    permission.end,
                    permission.salt,
                    keccak256(permission.extraData)
                )
            )
        );
    }

    function _approve(SpendPermission calldata permission) private returns (bool) {
        if (permission.token == address(0)) revert ZeroToken();
        if (permission.spender == address(0)) revert ZeroSpender();
        if (permission.period == 0) revert ZeroPeriod();
        if (permission.allowance == 0) revert ZeroAllowance();
        if (permission.start >= permission.end) revert InvalidStartEnd(permission.start, permission.end);

        bytes32 hash = getHash(permission);
        if (_revoked[hash]) return false;
        if (_approved[hash]) return true;
        _approved[hash] = true;
        emit SpendPermissionApproved(hash, permission);
        return true;
    }

    function _revoke(SpendPermission calldata permission) private {
        bytes32 hash = getHash(permission);
        if (_revoked[hash]) return;
        _revoked[hash] = true;
        emit SpendPermissionRevoked(hash, permission);
    }

    /// Records the value before money moves, so that a reentrant call by the account sees it.
    function _use(SpendPermission calldata permission, uint160 value) private {
        if (value == 0) revert ZeroValue();
        if (!isValid(permission)) revert UnauthorizedSpendPermission();
        PeriodSpend memory current = getCurrentPeriod(permission);
        uint256 total = uint256(current.spend) + value;
        if (total > permission.allowance) revert ExceededSpendPermission(total, permission.allowance);
        current.spend = uint160(total);
        bytes32 hash = getHash(permission);
        _lastUpdatedPeriod[hash] = current;
        emit SpendPermissionUsed(
            hash,
            permission.account,
            permission.spender,
            permission.token,
            PeriodSpend({start: current.start, end: current.end, spend: value})
        );
    }

    function _execute(address account, address target, bytes memory data) private {
        IExecutingAccount(account).execute(target, 0, data);
    }
}
