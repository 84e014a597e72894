// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import "./SpendPermission.sol";

/// The spender that customers name in their spend permissions. It takes a plan's price and forwards it to the merchant's
/// split in one transaction, once per period of a permission, or reverts: a failed charge must never be paid with another
/// customer's money.
///
/// - An account that is a contract is charged through the manager, which must be one of its owners.
/// - A plain wallet is charged through its ERC-20 allowance to this contract, after the checks that the manager makes:
///   signature, allowance, period, start, end, revocation. A wallet revokes with `manager.revoke`, or by withdrawing its
///   ERC-20 allowance.
///
/// It calls only the manager, which cannot be changed, and the permission's token. It has no balance between transactions.
contract SpendPermissionCharger {
    using SafeERC20 for IERC20;

    ISpendPermissionManager public immutable manager;
    /// The only account that may charge and revoke. It cannot be changed.
    address public immutable owner;

    /// Hash of a permission → the end of the last charged period, in Unix seconds. 0: none yet.
    mapping(bytes32 hash => uint48) public chargedUntil;

    bool private _busy;

    event Charged(
        bytes32 indexed hash, address indexed account, address indexed split, address token, uint160 value, uint48 periodStart
    );

    error NotOwner(address sender);
    error Reentered();
    error ZeroValue();
    error OtherSpender(address spender);
    error OtherPeriod(uint48 current, uint48 wanted);
    error AlreadyCharged(uint48 until);
    error ExceededAllowance(uint160 value, uint160 allowance);
    error Revoked();
    /// The split has received an amount other than the value, or tokens of this contract are missing.
    error NotForwarded();

    constructor(ISpendPermissionManager manager_, address owner_) {
        manager = manager_;
        owner = owner_;
    }

    modifier onlyOwner() {
        if (msg.sender != owner) revert NotOwner(msg.sender);
        _;
    }

    modifier once() {
        if (_busy) revert Reentered();
        _busy = true;
        _;
        _busy = false;
    }

    /// Moves `value` of the permission's token from its account to the split. Reverts unless the current period starts at
    /// `periodStart`.
    function charge(
        SpendPermission calldata permission,
        uint160 value,
        address split,
        uint48 periodStart,
        bytes calldata signature
    ) external onlyOwner once {
        if (value == 0) revert ZeroValue();
        if (permission.spender != address(this)) revert OtherSpender(permission.spender);
        // Reverts before the permission's start and after its end.
        PeriodSpend memory period = manager.getCurrentPeriod(permission);
        if (period.start != periodStart) revert OtherPeriod(period.start, periodStart);
        bytes32 hash = manager.getHash(permission);
        if (periodStart < chargedUntil[hash]) revert AlreadyCharged(chargedUntil[hash]);
        chargedUntil[hash] = period.end;

        IERC20 token = IERC20(permission.token);
        uint256 splitBefore = token.balanceOf(split);
        uint256 ownBefore = token.balanceOf(address(this));
        if (_isSignedByKey(permission.account, hash, signature)) {
            if (value > permission.allowance) revert ExceededAllowance(value, permission.allowance);
            if (manager.isRevoked(permission)) revert Revoked();
            token.safeTransferFrom(permission.account, split, value);
        } else {
            if (!manager.isApproved(permission)) manager.approveWithSignature(permission, signature);
            manager.spend(permission, value);
            token.safeTransfer(split, value);
        }
        if (token.balanceOf(split) != splitBefore + value) revert NotForwarded();
        if (token.balanceOf(address(this)) < ownBefore) revert NotForwarded();
        emit Charged(hash, permission.account, split, permission.token, value, periodStart);
    }

    /// Revokes the permission: it can no longer be charged, neither through the manager nor here.
    function revoke(SpendPermission calldata permission) external onlyOwner {
        manager.revokeAsSpender(permission);
    }

    /// Whether the account is a wallet whose key has signed. The library refuses values of `s` in the upper half and
    /// invalid lengths, and never returns the zero address for a valid signature.
    function _isSignedByKey(address account, bytes32 hash, bytes calldata signature) private pure returns (bool) {
        (address signer, ECDSA.RecoverError problem) = ECDSA.tryRecover(hash, signature);
        return problem == ECDSA.RecoverError.NoError && signer == account;
    }
}
